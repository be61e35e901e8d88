"""Pages for the table: the scoreboard on phones, the table as the camera sees it, review, and putting right."""
