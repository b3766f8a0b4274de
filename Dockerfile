# The browser app and the compiled sources are built with what only development needs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY offline-model/package.json offline-model/
COPY sites/package.json sites/
RUN npm ci
COPY tsconfig.base.json ./
COPY dashboard dashboard
RUN node dashboard/build.mjs
COPY . .
RUN node bin/build.mjs

# One image for every role: `docent api`, `docent worker`, `docent migrate`.
FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title=Docent org.opencontainers.image.version=0.1.0
RUN apt-get update && apt-get install --yes --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY offline-model/package.json offline-model/
COPY sites/package.json sites/
# The SDK of Bedrock or Vertex, if one is wanted: see docs/operate/models.
ARG MODEL_SDK=
RUN npm ci --omit=dev && if [ -n "$MODEL_SDK" ]; then npm install --no-save --omit=dev --save-prod "$MODEL_SDK"; fi && npm cache clean --force
COPY . .
COPY --from=build /app/dashboard/dist dashboard/dist
COPY --from=build /app/dist dist
# The built-in repository host and the caches live here; everything else is in Postgres and Temporal.
RUN mkdir /var/lib/docent && chown node:node /var/lib/docent
VOLUME /var/lib/docent
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/docent
USER node
EXPOSE 3000
ENTRYPOINT ["node", "bin/docent.mjs"]
CMD ["api"]
