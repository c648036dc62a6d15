import { describe, expect, it } from 'vitest'
import { devHelp, helpText } from '../../../scripts/start/help-text.ts'
import { operatorSettings } from '../../../worker/contract/settings/table.ts'

describe('helpText', () => {
  it.each(operatorSettings.map(([name]) => name))('names %s with its default', (name) => {
    expect(helpText()).toMatch(new RegExp(`^  ${name} .*\\(default: .+\\)$`, 'm'))
    expect(devHelp()).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  it('shows no default for a variable without one', () => {
    expect(helpText()).toMatch(/^  UPLOAD_ORIGINS .*\(default: none\)$/m)
    expect(helpText()).toMatch(/^  MAX_PIXELS .*\(default: 40000000\)$/m)
  })
})
