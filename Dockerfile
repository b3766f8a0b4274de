# The package, made as `npm pack` makes it and installed: see docs/operate/install.md.
FROM node:24-bookworm-slim AS pack
WORKDIR /src
COPY . .
RUN npm pack

FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY --from=pack /src/docent-*.tgz ./
# The SDK of Bedrock or Vertex, if one is wanted: see docs/operate/model-servers.md.
ARG MODEL_SDK=
# Without its own Postgres, and with Temporal's library for this machine only.
RUN npm install --omit=optional ./docent-*.tgz $MODEL_SDK && rm docent-*.tgz && cd node_modules/@temporalio/core-bridge/releases && ls | grep -v "^$(uname -m)-unknown-linux" | xargs rm -r

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title=Docent org.opencontainers.image.version=0.1.0
RUN apt-get update && apt-get install --yes --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*
RUN mkdir -p /var/lib/docent && chown node:node /var/lib/docent && ln -s /app/node_modules/.bin/docent /usr/local/bin/docent
COPY --from=install /app /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKER_HEALTH_PORT=3000 DATA_DIR=/var/lib/docent
VOLUME /var/lib/docent
USER node
HEALTHCHECK --interval=10s --start-period=60s --retries=6 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["docent"]
CMD ["api"]
