"""What every command shares: exit statuses, standard streams, arguments and their completion, progress bars, manual."""
