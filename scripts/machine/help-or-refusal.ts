/** The exit code of a command that takes no arguments, if it was given any: it explains itself, or refuses them. */
export function helpOrRefusal(command: string, help: string): number | undefined {
  const args = process.argv.slice(2)
  if (args.length === 0) return undefined
  if (args.some((arg) => ['-h', '--help', 'help'].includes(arg))) {
    process.stdout.write(help)
    return 0
  }
  process.stderr.write(`npm run ${command} takes no ${String(args[0])}.\n\n${help}`)
  return 2
}
