# Installed in place of another version: what ran runs on with this one.
if [ -d /run/systemd/system ] && command -v systemctl >/dev/null; then
	systemctl daemon-reload || true
	systemctl try-restart copse.service || echo "copse.service does not start again: journalctl -u copse says why." >&2
fi
