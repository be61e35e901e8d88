"""Many tables, one hall: each table's public state goes to an MQTT broker, and one board shows them all.

This room can import neither senses nor sessions, so that no picture, sound or hand can ever be published by it.
"""
