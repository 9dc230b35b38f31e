"""A simulated classifieds site: rules and a seed come in; its listings and pages at any moment go out."""
