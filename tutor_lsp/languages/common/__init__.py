"""What several languages share: syntax trees, what programs print, builds that are kept."""
