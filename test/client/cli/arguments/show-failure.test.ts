import { expect, it } from 'vitest'
import { parseLine } from '../../../../client/src/cli/arguments/parse-line.ts'
import { showFailure } from '../../../../client/src/cli/arguments/show-failure.ts'
import { commands } from '../../../../client/src/cli/commands.ts'
import { Screen } from '../../../../client/src/cli/terminal/screen.ts'
import { standInTerminal } from '../support/stand-in-terminal.ts'

function nameIn(line: string, path: string): string | undefined {
  const wish = parseLine(line.split(' '), commands)
  if (wish.outcome !== 'run') throw new Error('not a command to run')
  const { surroundings, stderr } = standInTerminal()
  const failure = {
    exitCode: 2,
    message: 'no',
    faults: [{ path, message: 'no' }],
    hints: [],
  } as const
  showFailure(failure, new Screen(surroundings), { json: true, asked: wish })
  const { faults } = JSON.parse(stderr.text) as { faults: { flag?: string }[] }
  return faults[0]?.flag
}

it('names the flag that a fault of the service came from', () => {
  const line = 'run talk.mp4 --compression-quality 80'
  expect(nameIn(line, 'compressionQuality')).toBe('--compression-quality')
  expect(nameIn(line, 'elements[2].position.anchor')).toBe('--elements (3rd) position.anchor')
  expect(nameIn(line, 'metadata.order')).toBe('--metadata order')
  expect(nameIn(line, 'somethingElse')).toBeUndefined()
})

it('names the flag that set a field of a preset', () => {
  expect(nameIn('presets save reel --rotate 90', 'fields.rotate')).toBe('--rotate')
})

it('names what stands in the line without a flag', () => {
  expect(nameIn('webhooks test http://10.0.0.7/hooks', 'webhookUrl')).toBe('URL')
  const joined = 'run https://example.com/a.mp4 http://10.0.0.7/b.mp4'
  expect(nameIn(joined, 'files[1].url')).toBe('http://10.0.0.7/b.mp4')
  expect(nameIn('run http://10.0.0.7/b.mp4', 'fileUrl')).toBe('http://10.0.0.7/b.mp4')
  expect(nameIn('run --file-url http://10.0.0.7/b.mp4', 'fileUrl')).toBe('--file-url')
})

it('names no flag that the command does not have', () => {
  expect(nameIn('webhooks test http://10.0.0.7/hooks', 'outputFormat')).toBeUndefined()
})
