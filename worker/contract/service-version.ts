/** The version in package.json. `npm version` writes both. */
export const serviceVersion = '0.1.0'
