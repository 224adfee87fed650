"""The static site of a challenge: pages and downloads of a leaderboard that updates itself."""
