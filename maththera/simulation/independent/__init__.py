"""Children who share nothing with the tutor: they read what a client shows, with abilities and habits of their own."""
