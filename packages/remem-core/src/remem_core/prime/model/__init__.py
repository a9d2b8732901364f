"""The weights of the judgement, beside a JSON that says where they come from and what to expect."""
