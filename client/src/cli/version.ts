// Written by `npm run client` from package.json. Do not edit it.
export const version = '0.1.0'
