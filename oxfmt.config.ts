import { defineConfig } from 'oxfmt'

export default defineConfig({
  semi: false,
  singleQuote: true,
  printWidth: 100,
  trailingComma: 'all',
  sortPackageJson: false,
  ignorePatterns: [
    'package-lock.json',
    'migrations/meta/',
    '.spool/',
    'dist/',
    'bench/model/measured/',
    '.wrangler/',
    'worker/public/scripts/',
    'worker/public/guides/',
    'worker/public/client/',
  ],
})
