"""MQTT: broker sessions, the messages of hubs and tables, a table's link to the hub, and Home Assistant.

Rule of this package: neither the table nor the hub ever waits for a broker. Events to send are read from the journal
after their commit: every event after the last one that the hub acknowledged. So nothing is queued, and nothing is lost
if the broker, the hub, the network or this program fails; the table plays on without them and catches up later.
"""
