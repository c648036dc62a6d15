/** `seconds`: about as long it takes on two quiet cores. */
export type Step = { name: string; seconds: number; command: readonly [string, ...string[]] }

const script = (name: string): Step['command'] => ['npm', 'run', '--silent', name]

/** Checks of the sources that do not run them. */
export const sourceSteps: readonly Step[] = [
  { name: 'format', seconds: 10, command: script('format') },
  { name: 'lint', seconds: 30, command: script('lint') },
  { name: 'types', seconds: 30, command: script('types') },
  {
    name: 'Dockerfile',
    seconds: 1,
    command: [process.execPath, 'scripts/check/lint-dockerfile.ts'],
  },
]

/** The environments of wrangler.toml; '' is the top level, which runs locally. */
export const environments = ['', 'staging', 'production'] as const

/**
 * Bundles and validates as a deployment would. Images need a Docker engine even in a dry run, so none is rolled out.
 */
export const deploySteps: readonly Step[] = environments.map((environment) => ({
  name: `deploy --dry-run (${environment || 'top level'})`,
  seconds: 5,
  command: [
    ...(['wrangler', 'deploy', '--dry-run', `--env=${environment}`] as const),
    ...['--containers-rollout=none', '--outdir', `dist/${environment || 'local'}`],
  ],
}))

/** Every test there is: those of `npm test`, and those that it leaves to the campaigns. */
export const testSteps = {
  tests: { name: 'tests (npm test)', seconds: 300, command: script('test') },
  campaigns: { name: 'campaigns (npm run campaigns)', seconds: 420, command: script('campaigns') },
} as const satisfies Record<string, Step>
