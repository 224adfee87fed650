"""The static site of a challenge: pages, badges and downloads of a leaderboard that updates itself."""
