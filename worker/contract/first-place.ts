/** Binary search: the first place for which a condition holds that holds for all places after it too; `count` if for none. */
export function firstPlace(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
