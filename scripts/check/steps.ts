export type Step = { name: string; command: readonly [string, ...string[]] }

const script = (name: string): Step['command'] => ['npm', 'run', '--silent', name]

/** Checks of the sources that do not run them. */
export const sourceSteps: readonly Step[] = [
  { name: 'format', command: script('format') },
  { name: 'lint', command: script('lint') },
  { name: 'types', command: script('types') },
  { name: 'Dockerfile', command: [process.execPath, 'scripts/check/lint-dockerfile.ts'] },
]

/** The environments of wrangler.toml; '' is the top level, which runs locally. */
export const environments = ['', 'staging', 'production'] as const

/**
 * Bundles and validates as a deployment would. Images need a Docker engine even in a dry run, so none is rolled out.
 */
export const deploySteps: readonly Step[] = environments.map((environment) => ({
  name: `deploy --dry-run (${environment || 'top level'})`,
  command: [
    ...(['wrangler', 'deploy', '--dry-run', `--env=${environment}`] as const),
    ...['--containers-rollout=none', '--outdir', `dist/${environment || 'local'}`],
  ],
}))

export const testStep: Step = { name: 'tests', command: [process.execPath, 'scripts/test.ts'] }
