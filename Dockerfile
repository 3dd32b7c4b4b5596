FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The base has Node.js; the install script of the package `node` would add a second one.
RUN npm ci --ignore-scripts
COPY . .
# TypeScript is an optional peer of @nestjs/swagger, which needs it only for compiling.
RUN npm run build \
  && npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/typescript node_modules/.cache \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete \
  && rm -f dist/.tsbuildinfo \
  && chmod 755 dist/apps/cli/main.js

FROM node:24-bookworm-slim
ENV NODE_ENV=production PRODUCTION=true HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Lets `npm run ops` start the compiled program; without sources it compiles nothing.
COPY tools/build.js ./tools/
RUN ln -s /app/dist/apps/cli/main.js /usr/local/bin/drive-workspace \
  && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["drive-workspace"]
CMD ["serve"]
