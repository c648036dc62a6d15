import { describe, expect, it } from 'vitest'
import { commands } from '../../../../client/src/cli/commands.ts'
import { main } from '../../../../client/src/cli/main.ts'
import { standInTerminal } from '../support/stand-in-terminal.ts'

/** What the script of a shell gets, without what it tells about each. */
async function complete(line: string, shell = 'zsh'): Promise<string[]> {
  const { surroundings, stdout } = standInTerminal()
  const words = shell === 'bash' ? [`spool ${line}`] : line.split(' ')
  expect(await main(['__complete', shell, ...words], surroundings)).toBe(0)
  const lines = stdout.text.split('\n').slice(0, -1)
  return lines.map((one) => one.split('\t')[0] ?? '')
}

describe('spool __complete', () => {
  it('knows commands, their second words, flags and values', async () => {
    expect(await complete('sta')).toEqual(['status'])
    expect(await complete('webhooks l')).toEqual(['listen'])
    expect(await complete('run a.mp4 --aspect')).toEqual(['--aspect-ratio'])
    expect(await complete('run --aspect-ratio 1')).toEqual(['16:9', '1:1'])
    expect(await complete('run --aspect-ratio=9')).toEqual(['--aspect-ratio=9:16'])
    expect(await complete('run --no-remove-n')).toEqual(['--no-remove-noise'])
    expect(await complete('__')).toEqual([])
  })

  it('leaves files to the shell where a file belongs', async () => {
    expect(await complete('run ta')).toEqual([':files'])
    expect(await complete('run -- -')).toEqual([':files'])
    expect(await complete('download v_1 -o ')).toEqual([':files'])
    expect(await complete('status ')).toEqual([])
  })

  it('gives bash only what follows the last colon or equal sign', async () => {
    expect(await complete('run --aspect-ratio 9:', 'bash')).toEqual(['16'])
    expect(await complete('run --aspect-ratio=9', 'bash')).toEqual(['9:16'])
  })

  it('tells zsh and fish what each is for', async () => {
    const { surroundings, stdout } = standInTerminal()
    await main(['__complete', 'fish', 'sta'], surroundings)
    expect(stdout.text).toMatch(/^status\tS.+\n$/)
  })

  it('keeps words together in bash as the shell does', async () => {
    for (const name of [`'a b'`, '"a b"', 'a\\ b']) {
      expect(await complete(`status ${name} --js`, 'bash')).toEqual(['--json'])
      expect(await complete(`run --file-url ${name} --aspect-r`, 'bash')).toEqual([
        '--aspect-ratio',
      ])
    }
    expect(await complete('run --aspect-ratio ', 'bash')).toContain('1:1')
  })
})

it('commands have examples that they themselves understand', async () => {
  const { parseLine } = await import('../../../../client/src/cli/arguments/parse-line.ts')
  const shown = commands.filter(({ isHidden }) => !isHidden)
  expect(shown.filter(({ examples }) => Object.keys(examples).length === 0)).toEqual([])
  for (const { name, examples } of shown) {
    const [line = ''] = Object.values(examples).map((command) => command.split(/[|>]/)[0] ?? '')
    const typed = line.replaceAll('\\\n', ' ').match(/"[^"]*"|'[^']*'|\S+/g) ?? []
    const words = typed.slice(1).map((word) => word.replaceAll(/["']/g, ''))
    if (!line.startsWith('spool')) continue
    expect(parseLine(words, commands)).toMatchObject({ command: { name } })
  }
})
