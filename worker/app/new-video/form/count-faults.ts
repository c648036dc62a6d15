/** The head of the list of faults. */
export function countFaults(count: number): string {
  return count === 1 ? 'One thing has to be changed:' : `${count} things have to be changed:`
}
