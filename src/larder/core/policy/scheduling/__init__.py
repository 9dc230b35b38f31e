"""Rules about when: the state of sources, queues and targets comes in; due times and gates go out."""
