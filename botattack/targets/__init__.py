"""Bots that can be asked: a room for each way to reach one."""
