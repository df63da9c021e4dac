// Builds dist/, which is the content of the package and missing in a fresh clone. npm runs this before it packs the folder or installs it
// from git, and after it has linked it into an example (`file:../..`). The package has no script `prepare` for it: npm 11 would warn
// about that wherever the package is installed.
import { ensureBuilt, ensureInstalled } from './set-up.mjs'

ensureInstalled()
await ensureBuilt()
