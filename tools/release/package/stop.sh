# It goes: nothing of it must run on.
if command -v systemctl >/dev/null; then
	if [ -d /run/systemd/system ]; then
		systemctl stop copse.socket copse-backup.timer copse.service || true
	fi
	systemctl disable copse.socket copse-backup.timer copse.service >/dev/null 2>&1 || true
fi
