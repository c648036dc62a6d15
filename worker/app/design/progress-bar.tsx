/** How far something is, from 0 to 100. */
export function ProgressBar({ percent, label }: { percent: number; label: string }) {
  return <progress class="progress" max={100} value={percent} aria-label={label}></progress>
}
