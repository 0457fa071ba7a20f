# The user of the service, and where it keeps everything.
if ! getent passwd copse >/dev/null; then
	shell=/usr/sbin/nologin
	[ -x "$shell" ] || shell=/sbin/nologin
	useradd --system --user-group --home-dir /var/lib/copse --no-create-home --shell "$shell" --comment "Copse" copse
fi
