"""Who and what there is on a night that is played through its pages: the hub, two directors, phones, the big screen."""

from dataclasses import dataclass, field

from playwright.sync_api import expect

from tests.browser.hub.devices_of_a_night import LIVE, LOST, Desk, Phone, PlainPhone, Screen
from tests.browser.hub.plain_night import PlainNight
from tests.support.hub_program import HubProgram

LATE, LEAVING = "Player 11", "Player 9"
PLACES = 3
"""Of eleven entrants: a quarter, rounded up."""


@dataclass
class Story:
    """Who and what there is on the night."""

    hub: HubProgram
    open_device: object
    plain: PlainNight = field(default_factory=PlainNight)
    phones: dict = field(default_factory=dict)
    plain_phones: dict = field(default_factory=dict)
    night: str = ""
    desk: Desk = None
    tablet: Desk = None
    screen: Screen = None

    def url(self, path):
        return f"{self.hub.url}{path}"

    def devices(self):
        return [self.desk, self.tablet, self.screen, *self.phones.values()]

    def phone(self, name):
        """A player's phone, looked at from now on."""
        if name not in self.phones:
            client = self.plain_phones[name].client
            page = self.open_device("phone", client=client)
            self.phones[name] = Phone(page, name).open(self.url(f"night/{self.night}/me"))
        return self.phones[name]

    def plain_phone(self, name):
        """The phone of somebody who has come without a picture of it, or that of the picture."""
        if name not in self.plain_phones:
            self.plain_phones[name] = PlainPhone.of_page(self.hub.port, self.night, self.phones[name])
        return self.plain_phones[name]

    def phone_by_its_card(self, name):
        """A phone that becomes a player's by the code that the desk shows for it."""
        if name in self.phones:
            return self.phones[name]
        self.desk.tab("People")
        self.desk.tap(f"More: {name}")
        self.desk.sheet.get_by_role("button", name="Code for the player").click()
        code = self.desk.sheet.locator(".code").inner_text()
        self.desk.submit("Close")
        phone = self.phones[name] = Phone(self.open_device("phone"), name)
        phone.page.goto(self.url(f"p/{code}"))
        phone.tap("Open my card")
        phone.page.wait_for_url("**/me")
        return phone.was_opened()

    def kill_hub(self):
        self.hub.kill()
        for device in self.devices():
            expect(device.page.locator(LOST)).to_be_visible()

    def start_hub(self):
        """The same folder, the same port; every page finds it by itself."""
        self.hub.start()
        for device in self.devices():
            expect(device.page.locator(LIVE)).to_be_visible()
            assert device.is_as_it_was_opened()

    def agrees(self):
        """Every page shows what was added up here."""
        for device in self.devices():
            device.soon_agrees(self.plain)
