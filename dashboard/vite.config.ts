import { join } from 'node:path';
import { defineConfig } from 'vite';

/**
 * The browser app. In development it is served beside a running `docent start`, which answers the
 * API's routes.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  build: {
    outDir: 'dist',
    rolldownOptions: {
      // The dashboard, and docs and pull requests that need no account.
      input: ['index.html', 'docs.html', 'review.html'].map(page =>
        join(import.meta.dirname, page),
      ),
      output: {
        codeSplitting: {
          groups: [
            // What every page needs; it changes with our dependencies only.
            {
              name: 'framework',
              test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack)\//,
            },
            // Parts of many pages: one file of these compresses better than thirty.
            { name: 'common', test: /dashboard\/src\/.*\.tsx?$/, minShareCount: 4 },
          ],
        },
      },
      checks: { moduleLevelDirective: false }, // "use client" means nothing without a server that renders
    },
    // Inlined assets would be `data:` addresses, which the Content-Security-Policy grants to images
    // only.
    assetsInlineLimit: 0,
    // `light-dark()` and nesting stay as they are written: every browser of the last two years
    // knows them.
    target: ['chrome123', 'firefox128', 'safari17.5'],
  },
  server: {
    port: 5173,
    proxy: { '^/(?!dashboard)': { target: 'http://127.0.0.1:3000', changeOrigin: false } },
  },
});
