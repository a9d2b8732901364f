"""What is known of lessons without a store: their identity, their wording, what a change may do."""
