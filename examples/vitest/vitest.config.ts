// Without a configuration of its own, Vitest would take that of a folder above.
import { defineConfig } from 'vitest/config'

export default defineConfig({})
