export type Step = { name: string; command: readonly [string, ...string[]] }
/** Steps that follow each other; what two lanes do is done at once. */
export type Lane = readonly Step[]

const script = (name: string): Step => ({ name, command: ['npm', 'run', '--silent', name] })

const dockerfile: Step = {
  name: 'Dockerfile',
  command: [process.execPath, 'scripts/check/lint-dockerfile.ts'],
}

/** Checks of the sources that do not run them. The linter checks the types as well. */
export const sourceLanes: readonly [Lane, Lane] = [[script('lint')], [script('format'), dockerfile]]

/** The environments of wrangler.toml; '' is the top level, which runs locally. */
export const environments = ['', 'staging', 'production'] as const

/**
 * Packages of the system that the tests want. A clean machine waits minutes for them and computes little meanwhile, so nothing
 * waits behind it.
 */
export const programs: Step = {
  name: 'programs for the tests',
  command: [process.execPath, 'scripts/check/install-programs.ts'],
}

/** Days of bad luck in the simulated world, in which the service must keep every promise; a slow machine has time for fewer. */
export const seeds: Step = {
  name: '200 simulated days',
  command: [
    ...(['npm', 'run', '--silent', 'simulate', '--'] as const),
    ...['--seed', '1', '--seeds', '200', '--minutes', '4', '--no-shrink'],
  ],
}

/**
 * Bundles and validates as a deployment would. Images need a Docker engine even in a dry run, so none is rolled out.
 */
export const deploySteps: Lane = environments.map((environment) => ({
  name: `deploy --dry-run (${environment || 'top level'})`,
  command: [
    ...(['wrangler', 'deploy', '--dry-run', `--env=${environment}`] as const),
    ...['--containers-rollout=none', '--outdir', `dist/${environment || 'local'}`],
  ],
}))
