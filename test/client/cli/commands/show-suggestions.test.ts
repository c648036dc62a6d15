import { expect, it } from 'vitest'
import { showSuggestions } from '../../../../client/src/cli/commands/show-suggestions.ts'
import { Screen } from '../../../../client/src/cli/terminal/screen.ts'
import { standInTerminal } from '../support/stand-in-terminal.ts'

function shown(suggestions: Parameters<typeof showSuggestions>[0]) {
  const { surroundings, stdout, stderr } = standInTerminal()
  showSuggestions(suggestions, new Screen(surroundings))
  return { results: stdout.text, notes: stderr.text }
}

it('prints each suggestion with the flag that cuts it, without obeying what was said', () => {
  const { results, notes } = shown([
    { startTime: 61, endTime: 62.5, why: 'silence' },
    { startTime: 70, endTime: 70.4, why: 'filler', text: 'um\u001b[2J' },
    { startTime: 80, endTime: 81, why: 'repeated_start', text: 'we we' },
  ])
  expect(results.split('\n')).toEqual([
    'SEGMENT                    WHY             SAID',
    'startTime=61,endTime=62.5  silence',
    'startTime=70,endTime=70.4  filler          um\\u001b[2J',
    'startTime=80,endTime=81    repeated start  we we',
    '',
  ])
  expect(notes).toContain('--remove-segments startTime=61,endTime=62.5;')
})

it('says when there is nothing to cut', () => {
  expect(shown([])).toEqual({ results: '', notes: 'Nothing to cut was found.\n' })
})
