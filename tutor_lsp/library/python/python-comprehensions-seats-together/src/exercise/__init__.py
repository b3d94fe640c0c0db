"""Seats together: where can all of us sit side by side?"""
