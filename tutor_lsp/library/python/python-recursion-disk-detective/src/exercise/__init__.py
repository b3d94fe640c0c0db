"""Disk detective: what fills the folders within the folders?"""
