"""The application: what front ends hold, and how it is put together."""
