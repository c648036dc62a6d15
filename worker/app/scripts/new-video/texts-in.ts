/** The names and texts of a JSON object; undefined if it holds anything else. */
export function textsIn(json: string): [name: string, text: string][] | undefined {
  if (json.trim() === '') return []
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const pairs = Object.entries(value)
    const texts = pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    return texts.length === pairs.length ? texts : undefined
  } catch {
    // The JSON is still being typed.
    return undefined
  }
}
