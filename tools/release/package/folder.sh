if [ ! -e /var/lib/copse ]; then
	install -d -m 0700 -o copse -g copse /var/lib/copse
fi
