export const boxes = () => [
  ...document.querySelectorAll<HTMLInputElement>('.videos input[name=videoId]'),
]

/** The rows that are ticked: the names of their videos, and whether they are still being made. */
export function chosenRows(): { name: string; isUnfinished: boolean }[] {
  return boxes()
    .filter((box) => box.checked)
    .flatMap((box) => {
      const row = box.closest<HTMLElement>('[data-row]')
      const status = row?.dataset['status'] ?? ''
      const name = row?.querySelector('.name')?.textContent ?? ''
      return row ? [{ name, isUnfinished: status === 'queued' || status === 'running' }] : []
    })
}
