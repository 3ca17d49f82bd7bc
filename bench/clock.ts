/** Milliseconds that this thread has worked; what else runs on the machine does not count. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
