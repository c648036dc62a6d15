import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { ESLint, type Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { expect, it } from 'vitest'
import { noCircle } from '../../../scripts/check/no-circle.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

async function faultsIn(files: Record<string, string>): Promise<Record<string, string[]>> {
  const folder = temporaryDirectory()
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { spool: { rules: { 'no-circle': noCircle } } },
    rules: { 'spool/no-circle': 'error' },
  } as unknown as Linter.Config
  const lint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: config })
  const results = await lint.lintFiles(['**/*.ts'])
  return Object.fromEntries(
    results.map(({ filePath, messages }) => [
      path.basename(filePath),
      messages.map(({ message }) => message),
    ]),
  )
}

it('finds files that need each other through others, for their types too', async () => {
  const faults = await faultsIn({
    'a.ts': "import { b } from './b.ts'\nexport type A = typeof b\n",
    'b.ts': "import { c } from './c.ts'\nexport const b = c\n",
    'c.ts': "import type { A } from './a.ts'\nexport const c = 1 as A\n",
    'd.ts': "import { b } from './b.ts'\nexport const d = b\n",
  })
  expect(faults).toEqual({
    'a.ts': ['Files import each other: a.ts → b.ts → c.ts → a.ts'],
    'b.ts': ['Files import each other: b.ts → c.ts → a.ts → b.ts'],
    'c.ts': ['Files import each other: c.ts → a.ts → b.ts → c.ts'],
    'd.ts': [],
  })
})
