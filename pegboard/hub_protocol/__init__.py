"""What tables and a hub say to each other over an MQTT broker: topics, messages, and the connection that carries them.

The law of this room: an acknowledgement of a broker says nothing here. What a table has sent counts as received when
the hub says so itself, after its commit. A message that cannot be read is an error with a sentence, and nothing else.
paho-mqtt is imported where a connection is made, and nowhere else.
"""
