/** Gives each block of code a button that copies it. Pages without scripts have none, because it would do nothing. */
export function copyCode(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code:not(.plain)')) {
    const code = block.querySelector('pre')?.textContent ?? ''
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.dataset['copy'] = code
    block.append(button)
  }
}
