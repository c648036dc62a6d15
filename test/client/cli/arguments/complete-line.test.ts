import { describe, expect, it } from 'vitest'
import { completeLine } from '../../../../client/src/cli/arguments/complete-line.ts'
import { commands } from '../../../../client/src/cli/commands.ts'
import { linesFor, splitTyped } from '../../../../client/src/cli/commands/completion.ts'

function complete(line: string): readonly string[] | string {
  const found = completeLine(splitTyped(line), commands)
  return found === 'files' ? found : found.map(({ text }) => text)
}

describe('completeLine', () => {
  it('knows commands, their second words, flags and values', () => {
    expect(complete('st')).toEqual(['status'])
    expect(complete('webhooks l')).toEqual(['listen'])
    expect(complete('run a.mp4 --aspect')).toEqual(['--aspect-ratio'])
    expect(complete('run --aspect-ratio 1')).toEqual(['16:9', '1:1'])
    expect(complete('run --aspect-ratio=9')).toEqual(['--aspect-ratio=9:16'])
    expect(complete('run --no-remove-n')).toEqual(['--no-remove-noise'])
    expect(complete('__')).toEqual([])
  })

  it('leaves files to the shell where a file belongs', () => {
    expect(complete('run ta')).toBe('files')
    expect(complete('run -- -')).toBe('files')
    expect(complete('download v_1 -o ')).toBe('files')
    expect(complete('status ')).toEqual([])
  })

  it('gives bash only what follows the last colon', () => {
    expect(linesFor('bash', [{ text: '9:16', about: '' }], '9:')).toEqual(['16'])
    expect(linesFor('fish', [{ text: '9:16', about: 'upright' }], '9:')).toEqual(['9:16\tupright'])
  })

  it('keeps words together as a shell does', () => {
    expect(splitTyped(`spool run 'a b' c\\ d "e`)).toEqual(['spool', 'run', 'a b', 'c d', 'e'])
    expect(splitTyped('spool run ')).toEqual(['spool', 'run', ''])
  })
})

describe('commands', () => {
  it('have examples that they themselves understand', async () => {
    const { parseLine } = await import('../../../../client/src/cli/arguments/parse-line.ts')
    const shown = commands.filter(({ isHidden }) => !isHidden)
    expect(shown.filter(({ examples }) => examples.length === 0)).toEqual([])
    for (const { name, examples } of shown) {
      const [line = ''] = examples.map(({ command }) => command.split(/[|>]/)[0] ?? '')
      const words = splitTyped(line.trim().replaceAll('\\\n', ' ')).slice(1)
      if (!line.startsWith('spool')) continue
      expect(parseLine(words, commands)).toMatchObject({ command: { name } })
    }
  })
})
