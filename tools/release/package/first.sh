# Installed for the first time: it starts now and with the machine.
if command -v systemctl >/dev/null; then
	systemctl enable copse.service >/dev/null 2>&1 || true
	if [ -d /run/systemd/system ]; then
		systemctl daemon-reload || true
		systemctl start copse.service || echo "copse.service does not start: journalctl -u copse says why." >&2
	fi
fi
