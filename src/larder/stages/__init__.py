"""What is done with a page, one room per verb; none of them knows another."""
