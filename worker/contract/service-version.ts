/** The version in package.json. `npm run release` writes both. */
export const serviceVersion = '0.1.0'
