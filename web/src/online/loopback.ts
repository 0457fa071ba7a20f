/** Whether a host is this computer under a name that means nothing elsewhere. */
export function loopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}
