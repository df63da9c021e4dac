// What npm runs before it packs this folder or installs it from git, and after it has linked it into an example (`file:../..`): the
// package is what dist/ holds, and a fresh clone has none. It is no script `prepare` of the package: npm 11 warns about that wherever
// the package is installed.
import { ensureBuilt, ensureInstalled } from './set-up.mjs'

ensureInstalled()
await ensureBuilt()
