/** The link that signs the owner in, among the lines that the service has printed. */
export function ownerLinkIn(output: readonly string[]): string {
  const [link] = output.flatMap((line) => /http\S+\/app\/link\/\w+/.exec(line) ?? [])
  if (link === undefined) throw new Error(`no link in:\n${output.join('\n')}`)
  return link
}
