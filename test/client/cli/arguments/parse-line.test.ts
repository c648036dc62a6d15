import { describe, expect, it } from 'vitest'
import type { Command } from '../../../../client/src/cli/arguments/command.ts'
import { parseLine } from '../../../../client/src/cli/arguments/parse-line.ts'
import { UsageError } from '../../../../client/src/cli/session/command-error.ts'

const send: Command = {
  name: 'send',
  summary: 'Send',
  positionals: { name: 'FILE', least: 1, most: Infinity },
  flags: [
    { name: 'output', short: 'o', kind: 'text', help: '' },
    { name: 'force', short: 'f', kind: 'switch', help: '' },
    { name: 'rotate', kind: 'choice', choices: [0, 90], help: '' },
    { name: 'quality', kind: 'number', minimum: 1, maximum: 100, help: '' },
    { name: 'cut', kind: 'list', keys: { from: 'number', 'at.place': 'text' }, help: '' },
    { name: 'about', kind: 'object', keys: { who: 'text' }, help: '' },
    {
      name: 'color-of-bars',
      kind: 'text',
      pattern: '^#[0-9a-f]{6}$',
      example: '#101820',
      help: '',
    },
  ],
  examples: {},
  run: async () => undefined,
}
const listen: Command = { name: 'hooks listen', summary: 'Listen', examples: {}, run: send.run }

function parse(line: string) {
  const wish = parseLine(line.split(' '), [send, listen])
  if (wish.outcome !== 'run') throw new Error(`not a run: ${wish.outcome}`)
  return wish
}

function refusal(...words: string[]): string {
  try {
    parseLine(words, [send, listen])
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return [error.message, ...error.hints].join(' ')
  }
  throw new Error('nothing was refused')
}

describe('parseLine', () => {
  it('sorts flags from files wherever they stand', () => {
    const { given, common } = parse('--json send a.mp4 -o out.mp4 b.mp4 --force')
    expect(given.positionals).toEqual(['a.mp4', 'b.mp4'])
    expect(given.text('output')).toBe('out.mp4')
    expect(given.isOn('force')).toBe(true)
    expect(common.json).toBe(true)
  })

  it('takes an object that is only named as one that says nothing, and leads to how its parts are written', () => {
    for (const line of ['send a.mp4 --about', 'send --about a.mp4', 'send --about --force a.mp4']) {
      const { given } = parse(line)
      expect(given.value('about')).toEqual({})
      expect(given.positionals).toEqual(['a.mp4'])
    }
    expect(parse('send a.mp4 --about who=me').given.value('about')).toEqual({ who: 'me' })
    expect(refusal('send', 'a.mp4', '--about.who', 'me')).toContain('Write `--about who=VALUE`.')
  })

  it('takes everything after -- as files', () => {
    const { given } = parse('send --force -- --output -o')
    expect(given.positionals).toEqual(['--output', '-o'])
  })

  it('takes values after = and letters together, and - as a value', () => {
    expect(parse('send a --output=b=c').given.text('output')).toBe('b=c')
    expect(parse('send a -fo b').given.text('output')).toBe('b')
    for (const word of ['-fob', '-ob', '-o=b', '-fo=b']) {
      expect(parse(`send a ${word}`).given.text('output'), word).toBe('b')
    }
    expect(parse('send a -o -5').given.text('output')).toBe('-5')
    expect(parse('send - -o -').given).toMatchObject({ positionals: ['-'] })
    expect(parse('send - -o -').given.text('output')).toBe('-')
  })

  it('reads numbers and choices as the request needs them', () => {
    const { given } = parse('send a --rotate 90 --quality 62.5 --no-force')
    expect(given.value('rotate')).toBe(90)
    expect(given.value('quality')).toBe(62.5)
    expect(given.value('force')).toBe(false)
  })

  it('collects lists, given as pairs or as JSON, and merges objects', () => {
    const { given } = parse('send a --cut from=0,at.place=1,5 --cut [{"from":2}] --cut {"from":3}')
    expect(given.value('cut')).toEqual([
      { from: 0, at: { place: '1,5' } },
      { from: 2 },
      { from: 3 },
    ])
    const about = parse('send a --about order=8127,code=007 --about vip=true').given
    expect(about.value('about')).toEqual({ order: 8127, code: '007', vip: true })
  })

  it('knows commands of two words', () => {
    expect(parse('hooks listen').command).toBe(listen)
    expect(parseLine(['hooks'], [send, listen])).toMatchObject({ outcome: 'help', of: ['hooks'] })
  })

  it('shows help for --help anywhere, and for help COMMAND', () => {
    expect(parseLine(['send', 'a', '--help'], [send])).toMatchObject({ of: ['send'] })
    expect(parseLine(['help', 'send'], [send])).toMatchObject({ outcome: 'help', of: ['send'] })
    expect(parseLine([], [send])).toMatchObject({ outcome: 'help', of: [] })
  })

  it('names what was probably meant', () => {
    expect(refusal('sned', 'a')).toContain('Did you mean send?')
    expect(refusal('hooks', 'lsten')).toContain('Did you mean hooks listen?')
    expect(refusal('send', 'a', '--qualty', '1')).toContain('Did you mean --quality?')
    expect(refusal('send', 'a', '--colorOfBars', '1')).toContain('Did you mean --color-of-bars?')
    expect(refusal('send', 'a', '--no-forse')).toContain('Did you mean --no-force?')
    expect(refusal('xyz')).not.toContain('Did you mean')
  })

  it('refuses what cannot be right, and says what would be', () => {
    expect(refusal('send')).toContain('FILE is missing')
    expect(refusal('hooks', 'listen', 'x')).toContain('"x" is one argument too many')
    expect(refusal('send', 'a', '--output')).toContain('--output needs a value')
    expect(refusal('send', 'a', '-fx')).toContain('There is no flag -x')
    expect(refusal('send', 'a', '--no-force=1')).toContain('There is no flag --no-force')
    expect(refusal('send', 'a', '--output', '--force')).toContain('--output needs a value')
    expect(refusal('send', 'a', '--rotate', '45')).toContain('one of 0, 90')
    expect(refusal('send', 'a', '--quality', '101')).toContain('from 1 to 100')
    expect(refusal('send', 'a', '--quality', 'best')).toContain('a number from 1 to 100')
    expect(refusal('send', 'a', '--force=maybe')).toContain('true or false')
    expect(refusal('send', 'a', '--cut', 'from=soon')).toContain('--cut from must be a number')
    expect(refusal('send', 'a', '--cut', '[{]')).toContain('--cut is not JSON')
    expect(refusal('send', 'a', '--about', '[]')).toContain('one JSON object')
    expect(refusal('send', 'a', '--color-of-bars', 'red')).toContain("--color-of-bars '#101820'")
  })
})
