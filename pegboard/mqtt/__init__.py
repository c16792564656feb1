"""The table on an MQTT broker, for Home Assistant and whatever else reads there.

The law of this room: it publishes, and reads only whether another table has its name, so nobody reaches the table
through the broker. It follows the feed as a display does: the newest view wins, and nobody waits for a broker.
paho-mqtt is imported where a broker is configured, and nowhere else.
"""
