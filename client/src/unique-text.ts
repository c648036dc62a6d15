/**
 * A text that nobody has used today. Nothing secret depends on it; and unlike `crypto`, Math.random is in every runtime.
 */
export function uniqueText(): string {
  const digits = () => Math.random().toString(36).slice(2)
  return `${Date.now().toString(36)}-${digits()}${digits()}`
}
