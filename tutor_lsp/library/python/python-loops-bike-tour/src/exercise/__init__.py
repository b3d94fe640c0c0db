"""Bike tour: will the battery last, and where do you have to charge it?"""
